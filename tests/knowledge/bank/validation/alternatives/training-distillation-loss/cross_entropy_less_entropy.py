import torch
import torch.nn.functional as F


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, weight=0.5):
    rows = (labels != -100).nonzero(as_tuple=True)
    student, target = student_logits[rows], labels[rows]
    with torch.no_grad():
        teacher = torch.log_softmax(teacher_logits[rows] / temperature, -1)
        entropy = -(teacher.exp() * teacher).sum(-1).mean()
    soft = F.cross_entropy(student / temperature, teacher.exp()) - entropy
    return weight * temperature**2 * soft + (1 - weight) * F.cross_entropy(student, target)
