from interviewer.speech.recognition_prompt import FIELD, LONGEST, prompt, terms
from knowledge.bank.parser import load_bank
from knowledge.model import Question, Source

SOURCE = Source(path="notes.md")


def asked(text, **more):
    return Question(id="q", text=text, spoken=text, topic="autograd", source=SOURCE, **more)


def test_names_of_the_question_come_out_as_written():
    found = terms(asked("What does `retain_graph=True` do in loss.backward() on an LSTM, and with fp16 in DataLoader?"))
    for name in ("retain_graph=True", "loss.backward()", "LSTM", "fp16", "DataLoader"):
        assert name in found


def test_the_reference_and_its_code_are_never_told():
    question = asked("Why is it slow?", reference="Call torch.cuda.synchronize() first.")
    assert "synchronize" not in prompt(question)
    for held in load_bank():
        told = prompt(held)
        shown = f"{held.text} {held.spoken} {held.topic}"
        listed = told.removeprefix("Um, so, uh, let me think. I would, you know, say")[:-1].split(", ")
        assert all(name.strip() in shown or name.strip() in FIELD for name in listed), held.id


def test_the_prompt_is_bounded_and_begins_with_the_question():
    told = prompt(asked(" ".join(f"`name_{n}`" for n in range(200))))
    assert len(told) < LONGEST + 2
    assert "name_0, name_1" in told
    assert prompt(None).count("PyTorch") == 1
