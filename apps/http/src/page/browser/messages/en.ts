import type { Widened } from './widened.ts'

const payment = {
  open: 'Waiting for your payment',
  completed: 'Payment received',
  expired: 'This checkout has expired',
  failed: 'This checkout could not be completed',
}
const signature = { ...payment, open: 'Waiting for your signature' }

/** What a checkout and its scripts both say, in English. */
export const en = {
  /** How `Intl` writes dates and numbers. */
  dates: 'en-GB',
  numbers: 'en',
  decimalSign: '.',
  statuses: {
    payment,
    subscription: { ...signature, completed: 'Your subscription has begun' },
    invoice: { ...payment, failed: 'There is nothing to pay here any more' },
    authorization: {
      ...signature,
      completed: 'Your wallet has agreed',
      failed: 'There is nothing to sign here any more',
    },
  },
  noPrice: 'Waiting for a price',
  paused: 'Payments are paused',
  partlyPaid: (received: string, due: string) => `Received ${received}, ${due} still due`,
  failures: {
    underpaid:
      'The full amount had not arrived when the time ran out. What was received is sent back to the paying account if it can be.',
    wrong_asset:
      'A payment arrived in a different asset from the one asked for. It is sent back to the paying account if it can be.',
    authorization_failed:
      'The authorisation that was signed is not the one this checkout asked for, so nothing was started.',
    product_unavailable: 'This product is no longer available.',
    paid_otherwise:
      'It was paid in another way, and your subscription goes on. What was sent here is sent back to the paying account if it can be.',
    not_owed: 'It is not owed any more. What was sent here is sent back to the paying account if it can be.',
    subscription_canceled: 'The subscription has ended.',
    not_needed: 'What was asked for here is not needed any more.',
    other: 'The payment could not be applied to this checkout.',
  },
  amount: 'Amount',
  stillDue: 'Still due',
  receivedOf: (received: string, amount: string) => `Received ${received} of ${amount}`,
  every: (interval: 'day' | 'week' | 'month' | 'year', count: number) =>
    count === 1 ? `every ${interval}` : `every ${count} ${interval}s`,
  mandate: {
    nothing: 'You pay nothing now.',
    first: (amount: string) => `You pay ${amount} now.`,
    owed: (amount: string) => `What you owe, ${amount}, is collected as soon as you have signed.`,
    trial: (days: number, until: string) =>
      `You pay nothing now. The first ${days === 1 ? 'day is' : `${days} days are`} free, until ${until}.`,
    halfDay: '12 hours',
    day: 'a day',
    fromNow: (every: string, cap: string, distance: string) =>
      `Then one payment is collected ${every}: each at the price of its day, never more than ${cap}, and no sooner than ${distance} after the one before.`,
    afterTrial: (every: string, cap: string, distance: string) =>
      `From then on one payment is collected ${every}: each at the price of its day, never more than ${cap}, and no sooner than ${distance} after the one before.`,
    replaces: 'It replaces what you have signed before.',
    end: 'This goes on until it is ended. You can end it at any time, with the seller or from your wallet.',
    trialUsed:
      'This wallet, or its owner, has had the trial of this product: the first payment is due now, as it says above.',
    changed: 'It has changed, as it says above.',
  },
  timeLeft: (time: string) => `(${time} left)`,
  sessionOver: 'now; the end is being confirmed',
  quoteOver: 'a moment ago; it is being renewed',
  noPriceNow: 'There is no price at the moment.',
  notRenewed: (problem: string) => `The price could not be renewed; it is tried again. ${problem}`,
  noQr: 'The QR code could not be renewed.',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',
  returning: (merchant: string, seconds: number) => `You are taken back to ${merchant} in ${seconds} s`,
  sandboxPaid: 'Paid; waiting for the confirmation',
  assets: {
    looking: 'Looking up what the account holds …',
    none: 'The account holds nothing that could be exchanged.',
    held: (balance: string) => `${balance} held`,
    issuedBy: (issuer: string) => `issued by ${issuer}`,
    noPath: 'no acceptable price at the moment',
    unchecked: 'no exchange rate to check this price by',
    tooLittle: 'not enough',
    most: (amount: string) => `at most ${amount}`,
  },
  sign: {
    noTransaction: 'The service answered with something else than a transaction.',
    noMandate: 'The service answered with something else than a mandate.',
    sends: (amount: string, until: string) => `It sends ${amount}, and can be signed until ${until}.`,
    until: (until: string) => `It can be signed until ${until}.`,
  },
  noWallets: 'The wallets could not be loaded. Please check the connection and try again.',
  noAnswer: 'There was no answer. Please check the connection and try again.',
  status: (status: number) => `The service answered with status ${status}`,
  /** What the service refuses, by its code, where its own English sentence is not for the reader. */
  refusals: {},
  refusal: (sentence: string) => sentence,
}

type Plain = Omit<typeof en, 'refusals'>

/** What every language has words for. */
export type ScriptMessages = Widened<Plain> & { readonly refusals: Readonly<Record<string, string>> }
