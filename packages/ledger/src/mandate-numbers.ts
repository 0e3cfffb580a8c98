/**
 * The numbers by which the mandate contract refuses, under its own names. Source: `Error` of
 * contracts/mandate/src/types.rs.
 */
export const mandateNumbers = {
  MandateNotFound: 100,
  ReferenceTaken: 101,
  BadReference: 102,
  BadPayee: 103,
  BadInterval: 104,
  BadTime: 105,
  BadAmount: 106,
  AboveCap: 107,
  AllowanceTooLow: 108,
  ExpiryTooEarly: 109,
  NotAllowed: 110,
  Cancelled: 111,
  Ended: 112,
  AlreadyCharged: 113,
  PeriodTaken: 114,
  TooSoon: 115,
  PeriodNotBegun: 116,
  PeriodOver: 117,
  TokenFailed: 118,
  ExpiryTooLate: 119,
  TooClose: 120,
} as const
