import torch.nn.functional as F


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, weight=0.5):
    """Softened divergence from the teacher plus cross-entropy with the labels."""
    counts = labels != -100
    student = student_logits[counts]
    teacher = teacher_logits[counts].detach()
    log_p = F.log_softmax(student / temperature, dim=-1)
    log_q = F.log_softmax(teacher / temperature, dim=-1)
    soft = (log_q.exp() * (log_q - log_p)).sum(-1).mean()
    hard = F.cross_entropy(student, labels[counts])
    return weight * temperature**2 * soft + (1 - weight) * hard
