mod authorisation;
mod calendar;
mod functions;
mod hostile;
mod operator;
mod storage;
mod world;
