import type { Mail } from '../stores/mail/mailer.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

/** The same words as text and as HTML; `code` stands alone, where it can be copied. */
const mailOf = (
  subject: string,
  code: string,
  paragraphs: ReadonlyArray<string>,
): Pick<Mail, 'subject' | 'text' | 'html'> => ({
  subject,
  text: [code, ...paragraphs].map((each) => `${each}\n`).join('\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;max-width:36em">',
    `<p style="font-size:1.6em;letter-spacing:.1em"><strong>${escaped(code)}</strong></p>`,
    ...paragraphs.map((each) => `<p dir="auto">${escaped(each)}</p>`),
    '</body></html>',
  ].join('\n'),
})

export const newEmailMail = (merchant: string, code: string): Pick<Mail, 'subject' | 'text' | 'html'> =>
  mailOf(`Your new email for ${merchant}`, code, [
    `Somebody wants to use this address for what they have with ${merchant}. If it is you, enter this code on the page where you asked for it, together with the code that went to your present address. It works once, within ten minutes.`,
    'Otherwise you need not do anything: nobody gets your address by this.',
  ])

export const oldEmailMail = (merchant: string, code: string): Pick<Mail, 'subject' | 'text' | 'html'> =>
  mailOf(`Another email for ${merchant}?`, code, [
    `Somebody who has your page at ${merchant} open wants another address in place of this one. If it is you, enter this code there, together with the code that went to the new address. It works once, within ten minutes.`,
    'If it is not you, tell this code nobody: without it nothing changes. Somebody has got into your page then: see whether your subscriptions are as you want them, and tell the merchant.',
  ])

export const entryMail = (merchant: string, code: string): Pick<Mail, 'subject' | 'text' | 'html'> =>
  mailOf(`Your code for ${merchant}`, code, [
    `With this code you see and change what you have with ${merchant}. Enter it on the page where you asked for it. It works once, within ten minutes.`,
    'Tell it nobody: whoever has it can act for you.',
    'If you did not ask for it, you need not do anything.',
  ])
