import { decimalFromStroops } from '@quittance/domain'
import { busy, defect, gone, type Problems } from './problem.ts'

export const payoutProblems = {
  PayoutNotFound: () => gone('payout'),
  PayoutNotCancelable: ({ status }) => [
    409,
    'payout_not_cancelable',
    status === 'pending' ? 'The payout is on its way to the ledger' : `The payout is ${status}`,
    undefined,
    'payouts',
  ],
  BalanceTooLow: ({ available }, { amount }) => [
    409,
    'insufficient_funds',
    `Only ${decimalFromStroops(available)} can be paid out`,
    amount,
    'payouts',
  ],
  BalanceOutdated: () => busy,
  TooManyPayouts: ({ most }) => [
    429,
    'too_many_requests',
    `${most} payouts of this asset are under way`,
    undefined,
    'payouts',
  ],
  PayoutDestinationNotFound: (_, { destination }) => gone('payout destination', destination),
  PayoutDestinationAlreadyExists: () => defect,
  DestinationNotUsableYet: ({ usableFrom }, { destination }) => [
    409,
    'destination_not_usable_yet',
    `The destination can be used from ${new Date(usableFrom).toISOString()} on, or once its owner has proven it`,
    destination,
    'payouts',
  ],
  DestinationAmbiguous: (_, { destination }) => [
    409,
    'destination_ambiguous',
    'Several destinations have this address: name one by its id',
    destination,
  ],
  MemoNotRegistered: () => [
    403,
    'memo_not_registered',
    'The memo says whose the money is: only a secret key may send another than the one that is registered',
    'memo',
  ],
  AddressMalformed: () => [400, 'malformed_address', 'Not an address of a Stellar account (G… or M…)', 'address'],
  MemoBesideMuxed: () => [400, 'malformed_memo', 'An address that begins with M needs no memo', 'memo'],
  MemoMalformed: ({ type }) => [
    400,
    'malformed_memo',
    type === 'text'
      ? 'A text memo has at most 28 bytes of UTF-8, and is not the id of a payout'
      : 'An id memo is a whole number below 2^64',
    'memo',
  ],
  ThresholdMissing: () => [400, 'threshold_missing', 'A threshold above zero is required', 'threshold'],
  PayoutScheduleNotFound: () => gone('payout schedule'),
} satisfies Partial<Problems>
