import { type Reader, readerFrom } from '../reader.ts'

/** Whoever reads English, or German, and could reload. */
export const inEnglish: Reader = readerFrom({ url: '/a-page', acceptLanguage: 'en', canReturn: true })
export const inGerman: Reader = readerFrom({ url: '/a-page', acceptLanguage: 'de', canReturn: true })
