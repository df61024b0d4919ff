"""Stories from work that the person told as answers: kept, listed, compared with earlier tellings."""
