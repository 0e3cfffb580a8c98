import { errorStatuses } from '@quittance/client/wire'
import { ofAttaching, ofBuilding, ofQuotes, ofRelaying } from '../wire/declared-codes.ts'
import { de as scriptDe } from './browser/messages/de.ts'
import { en as scriptEn } from './browser/messages/en.ts'
import { de as walletDe } from './browser/wallet/messages/de.ts'
import { en as walletEn } from './browser/wallet/messages/en.ts'
import type { Html } from './html.ts'
import { renderClosedPortal, renderNoDoor, renderNoReceipt, renderNotFoundPage, renderSpentCode } from './index.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import {
  addressFor,
  amountFor,
  dayFor,
  languageHeaders,
  momentFor,
  priceFor,
  readerFrom,
  refusalFor,
  translations,
} from './reader.ts'
import { inEnglish, inGerman } from './testing/readers.ts'

const read = (acceptLanguage: string, url = '/pay/chk_1') => readerFrom({ url, acceptLanguage, canReturn: true })

describe('the language of a page', () => {
  it.each([
    ['', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['fr, de;q=0.5, en;q=0.4', 'de'],
    ['en;q=0.4,de;q=0.5', 'de'],
    ['de;q=0', 'en'],
    ['de;q=nonsense, en;q=0.1', 'en'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['de,en', 'de'],
    ['fr;q=1, *;q=0.5', 'en'],
    ['deutsch', 'en'],
  ])('is the one that a browser likes best: %j, %s', (header, language) => expect(read(header).language).toBe(language))

  it.each([
    ['/pay/chk_1?lang=de', 'de', true],
    ['/pay/chk_1?x=1&lang=DE', 'de', true],
    ['/pay/chk_1?lang=en', 'en', true],
    ['/pay/chk_1?lang=fr', 'de', false],
    ['/pay/chk_1?lang=', 'de', false],
  ])('is the one that the address asks for, if there is such a one: %s, %s', (url, language, isChosen) =>
    expect(read('de', url)).toMatchObject({ language, isChosen }),
  )

  it('is kept by the addresses that follow once it was asked for, and not before', () => {
    const chosen = read('en', '/portal?lang=de')
    expect(addressFor(chosen, '/portal')).toBe('/portal?lang=de')
    expect(addressFor(chosen, '/portal?payments_after=pay_1')).toBe('/portal?payments_after=pay_1&lang=de')
    expect(addressFor(chosen, 'https://pay.example/pay/auth_1')).toBe('https://pay.example/pay/auth_1?lang=de')
    expect(addressFor(read('de'), '/portal')).toBe('/portal')
  })

  it('can be changed on the same page, and not where a form led', () => {
    expect(translations(read('en', '/portal/entry?merchant=mer_1&environment=testnet'))).toEqual([
      { language: 'en', name: 'English', href: '/portal/entry?merchant=mer_1&environment=testnet&lang=en' },
      { language: 'de', name: 'Deutsch', href: '/portal/entry?merchant=mer_1&environment=testnet&lang=de' },
    ])
    expect(translations(readerFrom({ url: '/portal/email', acceptLanguage: 'de', canReturn: false }))).toEqual([])
  })

  it('is named to caches, with what it depends on', () =>
    expect(languageHeaders(inGerman)).toEqual({ 'content-language': 'de', vary: 'accept-language' }))
})

describe('what a reader sees', () => {
  const at = '2026-11-20T10:05:00.000Z'
  it.each([
    ['English', inEnglish, ['20 November 2026', '20 Nov 2026, 10:05 UTC', '€1,234.50', '13.5 USDC']],
    ['German', inGerman, ['20. November 2026', '20. Nov. 2026, 10:05 UTC', '1.234,50\u00a0€', '13,5 USDC']],
  ])('is written as in %s', (_, reader, expected) =>
    expect([
      dayFor(reader, at),
      momentFor(reader, at),
      priceFor(reader, 'EUR', 1234.5),
      amountFor(reader, '13.5 USDC'),
    ]).toEqual(expected),
  )

  it('tells refusals in German by their codes, and quotes those that have no words', () => {
    const refusal = { code: 'code_invalid', message: 'The code is wrong' }
    expect(refusalFor(inEnglish, refusal)).toBe('The code is wrong')
    expect(refusalFor(inGerman, refusal)).toBe('Der Code ist falsch, abgelaufen oder schon benutzt')
    expect(refusalFor(inGerman, { code: 'conflict', message: 'x' })).toMatch(/^Jemand anderes/)
    expect(refusalFor(inGerman, { code: 'constructor', message: 'x' })).toBe('Der Dienst meldet: x')
  })
})

describe('the catalogues', () => {
  it('have German words for everything that a checkout may be refused, and for no code that is none', () => {
    const missing = [...ofBuilding, ...ofRelaying, ...ofQuotes, ...ofAttaching].filter(
      (code) => !Object.hasOwn(scriptDe.refusals, code),
    )
    expect(missing).toEqual([])
    const told = [...Object.keys(scriptDe.refusals), ...Object.keys(de.refusals)]
    expect(told.filter((code) => !Object.hasOwn(errorStatuses, code))).toEqual([])
  })

  const pieces = ['‹1›', '‹2›', '‹3›']
  type Shown = string | Html | ((...input: ReadonlyArray<unknown>) => unknown) | object
  const isHtml = (value: unknown): value is Html => typeof value === 'object' && value !== null && 'markup' in value

  /** Every entry with its words, where functions got marked texts, or markup, or functions that make it. */
  const entriesOf = (catalogue: Shown, path: string): ReadonlyArray<readonly [path: string, words: string]> => {
    if (typeof catalogue === 'string') return [[path, catalogue]]
    if (typeof catalogue === 'function') {
      const given = pieces.map((markup) => Object.assign(() => ({ markup }), { markup, toString: () => markup }))
      const said = catalogue(...given)
      return [[path, isHtml(said) ? said.markup : String(said)]]
    }
    return Object.entries(catalogue).flatMap(([name, value]) => entriesOf(value, `${path}.${name}`))
  }
  const without =
    (...paths: ReadonlyArray<string>) =>
    (entry: readonly [path: string, words: string]) =>
      !paths.some((path) => entry[0].startsWith(path))
  // Words of time and kind, whose functions take what is no text.
  const ofKinds = without('.refusals', '.every', '.mandate.trial', '.direction')

  it.each([
    ['pages', en, de],
    ['scripts', scriptEn, scriptDe],
    ['wallets', walletEn, walletDe],
  ])('of %s say in German what they say in English, with all that is put into it', (_, english, german) => {
    const [ofEnglish, ofGerman] = [english, german].map((each) => entriesOf(each, '').filter(ofKinds))
    expect(ofGerman?.map(([path]) => path)).toEqual(ofEnglish?.map(([path]) => path))
    const put = (entries: typeof ofEnglish) =>
      entries?.map(([path, words]) => [path, pieces.filter((piece) => words.includes(piece))])
    expect(put(ofGerman)).toEqual(put(ofEnglish))
    expect(ofGerman?.filter(([, words]) => words.trim() === '' || words.includes('undefined'))).toEqual([])
  })
})

it.each([
  ['an unknown checkout', renderNotFoundPage],
  ['an unknown merchant', renderNoDoor],
  ['an unknown receipt', renderNoReceipt],
  ['a used invitation', renderClosedPortal],
  ['a code that is spent', renderSpentCode],
])('the page of %s repeats nothing of its address', (_, render) =>
  expect(render(read('de', '/a-secret?b=c'))).not.toContain('a-secret'),
)
