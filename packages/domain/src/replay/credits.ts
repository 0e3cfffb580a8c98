import type { Credits } from '../credits/index.ts'
import { positiveCount } from '../shared/units.ts'
import type { Behind } from './behind.ts'

export const behindCredits: Behind<typeof Credits> = (_, { type, data }) => {
  switch (type) {
    case 'BooksOpened':
      return [{ type: 'OpenBooks', ...data }]
    case 'CreditsGranted':
      return [
        { type: 'GrantCredits', ...data },
        { type: 'RestoreCredits', ...data },
      ]
    case 'CreditsConsumed':
      return [{ type: 'ConsumeCredits', ...data }]
    case 'CreditsReversed':
      return [{ type: 'ReverseCredits', transactionId: data.transactionId, paymentId: data.paymentId }]
    case 'BooksClosed':
      return [{ type: 'CloseBooks', atEvents: positiveCount(1) }]
    case 'BooksHandedOver':
      return [{ type: 'HandOverBooks', to: data.to }]
    case 'BooksTakenOver':
      return [{ type: 'TakeOverBooks', ...data }]
  }
}
