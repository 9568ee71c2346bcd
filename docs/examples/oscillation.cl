// A damped oscillation around a level: y = a exp(-b t) cos(w t + p) + c, with the parameters a, b, w, p, c.
real residual(individual x, uint j) {
  const real t = abscissa(x, j);
  return gene(x, 0) * exp(-gene(x, 1) * t) * cos(gene(x, 2) * t + gene(x, 3)) + gene(x, 4) - row(x, j);
}
