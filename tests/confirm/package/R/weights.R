weights <- function(x, unit = "kg") .Call(weights_of, structure(list(x, unit), class = "weights of things"))
