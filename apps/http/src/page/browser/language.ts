export const languages = ['en', 'de'] as const

/** The language of a page. */
export type Language = (typeof languages)[number]

const ofDocument: unknown = Reflect.get(globalThis, 'document')?.documentElement?.lang

/** The language of the document in which a script runs; English outside of documents. */
export const language: Language = languages.find((each) => each === ofDocument) ?? 'en'
