// clopt: parameters a, p, q
// The concentration of a drug in blood, t hours after a tablet: it comes at the rate p, and goes at the rate q.
real model(individual x, real t) {
  const real p = gene(x, 1), q = gene(x, 2);
  return gene(x, 0) * p / (p - q) * (exp(-q * t) - exp(-p * t));
}
