import { defect, type Problems } from './problem.ts'

export const amountProblems = {
  AmountMissing: (_, { amount }) => [400, 'amount_missing', 'An amount is required', amount],
  AmountsDisagree: (_, { amountCents }) => [
    400,
    'amounts_disagree',
    'The two spellings of the amount are not equal',
    amountCents,
  ],
  MalformedNumber: ({ field }, fields) => [
    400,
    'malformed_amount',
    'The amount is not a decimal number',
    fields[field],
  ],
  NotPositive: ({ field }, fields) => [400, 'amount_not_positive', 'The amount must be above zero', fields[field]],
  NotWholeUnits: ({ field }, fields) => [400, 'amount_not_whole', 'This currency has no decimals', fields[field]],
  TooManyDecimals: ({ field, decimals }, fields) => [
    400,
    'too_many_decimals',
    `At most ${decimals} decimals`,
    fields[field],
  ],
  RoundsToZero: ({ field }, fields) => [400, 'amount_rounds_to_zero', 'The amount is 0 after rounding', fields[field]],
  TooLarge: ({ field }, fields) => [400, 'amount_too_large', 'The amount is too large', fields[field]],
  AmountTooLarge: () => [400, 'amount_too_large', 'No account could hold this amount of the asset'],
  AmountNotPositive: () => defect,
  MetadataNotAnObject: () => [400, 'invalid_metadata', 'Metadata must be an object', 'metadata'],
  MetadataTooManyKeys: ({ maximum }) => [400, 'invalid_metadata', `At most ${maximum} keys`, 'metadata'],
  MetadataKeyTooLong: ({ maximum }) => [400, 'invalid_metadata', `Keys have at most ${maximum} characters`, 'metadata'],
  MetadataTooLarge: ({ maximumBytes }) => [
    400,
    'invalid_metadata',
    `At most ${maximumBytes} bytes of JSON`,
    'metadata',
  ],
  MetadataTooDeep: ({ maximum }) => [400, 'invalid_metadata', `At most ${maximum} levels`, 'metadata'],
  MetadataValueNotText: () => [400, 'invalid_metadata', 'Every value must be a string', 'metadata'],
} satisfies Partial<Problems>
