# Reference numbers for the clustered logistic regression, made by R's glm, sandwich and
# clubSandwich. From this folder:
#   Rscript clustered_logistic.R < clustered_logistic.csv > clustered_logistic.expected.csv
# On Debian: apt-get install r-base-core r-cran-sandwich r-cran-clubsandwich
suppressMessages({
  library(clubSandwich)
  library(sandwich)
})

rows <- read.csv(file("stdin"), stringsAsFactors = TRUE)
rows$cluster <- factor(rows$cluster)
fit <- glm(error ~ study + arm + setting + trace + peak + load, binomial, rows,
  control = glm.control(epsilon = 1e-14, maxit = 100)
)

# The last working fit as plain least squares: rows times the root of their weights.
share <- fitted(fit)
root <- sqrt(share * (1 - share))
whitened <- model.matrix(fit) * root
working <- as.vector(whitened %*% coef(fit)) + (rows$error - share) / root
plain <- lm(working ~ 0 + whitened)

slopes <- c("trace", "peak", "load")
of_plain <- paste0("whitened", slopes)
reduced_plain <- vcovCR(plain, rows$cluster, "CR2")
reduced_glm <- vcovCR(fit, rows$cluster, "CR2")
frame <- data.frame(
  predictor = slopes,
  slope = coef(fit)[slopes],
  cr1 = sqrt(diag(vcovCL(fit, rows$cluster, "HC1", cadjust = TRUE)))[slopes],
  cr2 = sqrt(diag(reduced_plain))[of_plain],
  freedom = coef_test(plain, reduced_plain, test = "Satterthwaite")[of_plain, "df_Satt"],
  cr2_glm = sqrt(diag(reduced_glm))[slopes],
  freedom_glm = coef_test(fit, reduced_glm, test = "Satterthwaite")[slopes, "df_Satt"]
)
frame[-1] <- lapply(frame[-1], formatC, digits = 12, format = "g")
write.csv(frame, stdout(), row.names = FALSE, quote = FALSE)
