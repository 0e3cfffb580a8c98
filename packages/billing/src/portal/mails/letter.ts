import type { Mail } from '../../stores/mail/mailer.ts'

/** What a mail says: sentences, then one thing to do, then facts. Texts from outside may be hostile. */
export type Letter = {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  readonly link?: { readonly label: string; readonly url: string } | null
  /** Other places to go to. */
  readonly more?: ReadonlyArray<{ readonly label: string; readonly url: string }>
}

export type Words = Pick<Mail, 'subject' | 'text' | 'html'>

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

const longestName = 120

/** A name as a part of a sentence: one line, which turns no other text round. */
export const nameIn = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : line
}

const style = {
  page: 'font-family:system-ui,sans-serif;line-height:1.5;max-width:36em;margin:24px auto;padding:0 16px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#3451d1;color:#ffffff;text-decoration:none',
  quiet: 'color:#777777;font-size:14px',
} as const

const anchor = (url: string, label: string, look: string | null = null): string =>
  `<a href="${escaped(url)}" target="_blank" rel="noopener noreferrer"${look === null ? '' : ` style="${look}"`}>${escaped(label)}</a>`

/** The letter as text and as HTML, which say the same. `footer` says from whom it is and why. */
export const wordsOf = (
  { subject, paragraphs, link = null, more = [] }: Letter,
  footer: ReadonlyArray<string>,
): Words => ({
  subject,
  text: [
    ...paragraphs,
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    ...more.map(({ label, url }) => `${label}: ${url}`),
    ['-- ', ...footer].join('\n'),
  ]
    .map((each) => `${each}\n`)
    .join('\n'),
  html: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${escaped(subject)}</title></head><body style="${style.page}">`,
    ...paragraphs.map((each) => `<p dir="auto">${escaped(each)}</p>`),
    ...(link === null ? [] : [`<p>${anchor(link.url, link.label, style.button)}</p>`]),
    ...more.map(({ label, url }) => `<p>${anchor(url, label)}</p>`),
    `<hr><p style="${style.quiet}">${footer.map((each) => `<span dir="auto">${escaped(each)}</span>`).join('<br>')}</p>`,
    '</body></html>',
  ].join('\n'),
})
