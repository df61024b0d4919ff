{{/* Labels of everything; a component adds its own. */}}
{{- define "interviewer.labels" -}}
app.kubernetes.io/name: torch-interviewer
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What a pod is started from, and what it may not do. The user is the image's. */}}
{{- define "interviewer.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "interviewer.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
{{- end }}

{{/* The judges by the names of their pods, so that each is told apart. */}}
{{- define "interviewer.judges" -}}
{{- range $number := until (int .Values.judges.replicas) }}
- --judge-url
- http://{{ $.Release.Name }}-judge-{{ $number }}.{{ $.Release.Name }}-judge:8100
{{- end }}
{{- end }}

{{/* The runners likewise. */}}
{{- define "interviewer.runners" -}}
{{- range $number := until (int .Values.runners.replicas) }}
- --runner-url
- http://{{ $.Release.Name }}-runner-{{ $number }}.{{ $.Release.Name }}-runner:8200
{{- end }}
{{- end }}
