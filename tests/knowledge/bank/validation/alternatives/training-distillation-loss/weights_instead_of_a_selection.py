import torch
import torch.nn.functional as F


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, weight=0.5):
    classes = student_logits.shape[-1]
    student, wanted = student_logits.reshape(-1, classes), labels.reshape(-1)
    counts = (wanted != -100).to(student.dtype)
    q = F.softmax(teacher_logits.detach().reshape(-1, classes) / temperature, dim=1)
    each = F.kl_div(F.log_softmax(student / temperature, dim=1), q, reduction="none").sum(dim=1)
    soft = (each * counts).sum() / counts.sum()
    hard = F.cross_entropy(student, wanted, ignore_index=-100)
    return torch.lerp(hard, soft * temperature**2, weight)
