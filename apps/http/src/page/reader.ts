import { currencyPrice, localAmount } from './browser/amounts.ts'
import { type Language, languages } from './browser/language.ts'
import { de as scriptDe } from './browser/messages/de.ts'
import { type ScriptMessages, en as scriptEn } from './browser/messages/en.ts'
import { dayAndTime } from './browser/time.ts'
import { de as walletDe } from './browser/wallet/messages/de.ts'
import { type WalletMessages, en as walletEn } from './browser/wallet/messages/en.ts'
import { refusalText } from './browser/words.ts'
import { de } from './messages/de.ts'
import { en, type Messages } from './messages/en.ts'

/** Who reads a page: their words, and where they are. */
export type Reader = {
  readonly language: Language
  readonly words: Messages
  /** The words that a checkout shares with its scripts, and those of wallets. */
  readonly script: ScriptMessages
  readonly wallet: WalletMessages
  /** Whether the address asks for the language. Then the pages that follow do, too. */
  readonly isChosen: boolean
  /** Path and query of the page; null where a browser cannot ask for it again. */
  readonly address: string | null
}

const catalogues: Readonly<Record<Language, Pick<Reader, 'words' | 'script' | 'wallet'>>> = {
  en: { words: en, script: scriptEn, wallet: walletEn },
  de: { words: de, script: scriptDe, wallet: walletDe },
}

const known = (tag: string): Language | undefined =>
  languages.find((each) => each === tag.trim().toLowerCase().split('-')[0])

/** The language that a browser likes best of those that there are; English without one. Source: RFC 9110, 12.5.4. */
const preferred = (acceptLanguage: string): Language => {
  const ranked = acceptLanguage.split(',').flatMap((each) => {
    const [tag = '', weight] = each.split(';')
    const language = known(tag)
    const quality = weight === undefined ? 1 : Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 0)
    return language === undefined || !(quality > 0) ? [] : [{ language, quality }]
  })
  const most = Math.max(...ranked.map(({ quality }) => quality))
  return ranked.find(({ quality }) => quality === most)?.language ?? 'en'
}

type Visit = {
  /** Path and query. */
  readonly url: string
  readonly acceptLanguage: string
  /** Whether a browser can ask for the address again. */
  readonly canReturn: boolean
}

/** The language is that of `?lang=`, or else the one that the browser likes best. */
export const readerFrom = ({ url, acceptLanguage, canReturn }: Visit): Reader => {
  const chosen = known(new URLSearchParams(url.split('?')[1]).get('lang') ?? '')
  const language = chosen ?? preferred(acceptLanguage)
  return { language, ...catalogues[language], isChosen: chosen !== undefined, address: canReturn ? url : null }
}

/** An address of this service in a language. */
const inLanguage = (address: string, language: Language): string => {
  const [path = '', query = ''] = address.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('lang', language)
  return `${path}?${parameters}`
}

/** An address of this service that keeps the language which the reader has chosen. */
export const addressFor = ({ isChosen, language }: Reader, address: string): string =>
  isChosen ? inLanguage(address, language) : address

/** The same page in every language; none where it cannot be asked for again. */
export const translations = ({
  address,
}: Reader): ReadonlyArray<Pick<Reader, 'language'> & { href: string; name: string }> =>
  address === null
    ? []
    : languages.map((language) => ({
        language,
        href: inLanguage(address, language),
        name: catalogues[language].words.name,
      }))

/** How a page says its language, and that it depends on what the browser likes. */
export const languageHeaders = ({ language }: Reader): Readonly<Record<string, string>> => ({
  'content-language': language,
  vary: 'accept-language',
})

/** An amount, which may be followed by its asset, as the reader writes numbers. */
export const amountFor = ({ script }: Reader, amount: string): string => localAmount(script.decimalSign, amount)

/** A price as the reader writes it. */
export const priceFor = ({ script }: Reader, currency: string, amount: number): string =>
  currencyPrice(script.numbers, currency, amount, '') ??
  `${localAmount(script.decimalSign, String(amount))} ${currency}`

/** A time as the reader writes it, in UTC. */
export const momentFor = ({ script }: Reader, timestamp: string): string => {
  const at = Date.parse(timestamp)
  return Number.isNaN(at) ? timestamp : dayAndTime(script.dates, at, 'UTC')
}

/** A day as the reader writes it, in UTC. */
export const dayFor = ({ script }: Reader, timestamp: string, dateStyle: 'long' | 'medium' = 'long'): string =>
  new Intl.DateTimeFormat(script.dates, { dateStyle, timeZone: 'UTC' }).format(Date.parse(timestamp))

/** Why something was refused, in the reader's words as far as its code tells. */
export const refusalFor = (
  { words, script }: Reader,
  { code, message }: { readonly code: string; readonly message: string },
): string =>
  (Object.hasOwn(words.refusals, code) ? words.refusals[code] : undefined) ?? refusalText(script, code, message)
