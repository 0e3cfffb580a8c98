import type { SubscriptionFacts } from '../facts.ts'
import type { Letter } from '../letter.ts'

export const approvalLetter = ({ merchant, product, signUrl }: SubscriptionFacts, expiresOn: string): Letter => ({
  subject: `Your approval for ${merchant} runs out on ${expiresOn}`,
  paragraphs: [
    `Your wallet has allowed ${merchant} to collect the payments for ${product}. That ends on ${expiresOn}.`,
    'If you want to go on, approve it anew with your wallet. Otherwise the next payment fails.',
  ],
  link: signUrl === null ? null : { label: 'Approve anew', url: signUrl },
})
