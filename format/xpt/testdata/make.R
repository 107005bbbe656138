library(haven)
x <- data.frame(id=c(1,2,3), a_longer_name=c(10.5,NA,-0.1), big=c(1e60,1e-60,0))
x$day <- as.Date(c("2024-02-29",NA,"1969-12-31")); x$t <- as.POSIXct(c("2024-02-29 12:00:01","1999-12-31 23:59:59",NA),tz="UTC")
x$s <- c("Zoë","a longer text","")
attr(x$a_longer_name,"label") <- "what they earn, in a label that is longer than forty bytes"
x$m <- c(5,tagged_na("A"),NA)
write_xpt(x,"haven8.xpt",version=8,name="DATA", label="lab")
names(x)[2] <- "wage"; attr(x$wage,"label") <- "what they earn"
write_xpt(x,"haven5.xpt",version=5,name="DATA")
