import type { Letter } from '../letter.ts'

export const receiptLetter = (merchant: string, amount: string, subject: string | null, url: string): Letter => ({
  subject: `Your receipt from ${merchant}`,
  paragraphs: [
    `Your payment of ${amount} to ${merchant} is confirmed${subject === null ? '' : `: ${subject}`}.`,
    'The receipt can be printed, and stored as PDF. Refunds will show on it.',
  ],
  link: { label: 'See the receipt', url },
})
