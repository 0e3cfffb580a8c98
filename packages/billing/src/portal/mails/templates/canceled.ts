import type { SubscriptionFacts } from '../facts.ts'
import type { Letter } from '../letter.ts'

export const canceledLetter = ({ merchant, product }: SubscriptionFacts): Letter => ({
  subject: `Your subscription to ${product} has ended`,
  paragraphs: [
    `Your subscription to ${product} from ${merchant} has ended. Nothing more is collected from your wallet.`,
    'If you did not want this, you can subscribe again where you did.',
  ],
})
