import type { SubscriptionFacts } from '../facts.ts'
import type { Letter } from '../letter.ts'

export const renewalLetter = ({
  merchant,
  product,
  price,
  endsOn,
  needsApproval,
  signUrl,
}: SubscriptionFacts): Letter => ({
  subject: `${product} renews on ${endsOn}`,
  paragraphs: [
    `Your subscription to ${product} from ${merchant} renews on ${endsOn}. ${price} is then collected from your wallet: please see that it holds enough.`,
    ...(needsApproval ? ['Your wallet has to approve the payment anew.'] : []),
  ],
  link: signUrl === null ? null : { label: 'Approve the payment', url: signUrl },
})
