import type { SubscriptionFacts } from '../facts.ts'
import type { Letter } from '../letter.ts'

export const trialEndsLetter = ({
  merchant,
  product,
  price,
  endsOn,
  needsApproval,
  signUrl,
}: SubscriptionFacts): Letter => ({
  subject: `Your trial at ${merchant} ends on ${endsOn}`,
  paragraphs: [
    `Your trial of ${product} ends on ${endsOn}. From then on it costs ${price}, collected from your wallet.`,
    'If you do not want to go on, cancel before that day: then nothing is charged.',
    ...(needsApproval ? ['Your wallet has to approve the payment anew.'] : []),
  ],
  link: signUrl === null ? null : { label: 'Approve the payment', url: signUrl },
})
