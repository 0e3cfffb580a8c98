/** The log is no transparency log yet, so there is no key to rotate. */
export type LogTransparencyRejection = { readonly _tag: 'NoTransparencyLog' }
