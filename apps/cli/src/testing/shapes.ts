/** A text field of a result; throws if it is missing. */
export const field = (value: unknown, name: string): string => {
  const found =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name) : undefined
  if (typeof found?.[1] !== 'string') throw new Error(`no ${name} in ${JSON.stringify(value)}`)
  return found[1]
}

export const merchantIn = (value: unknown) => ({
  merchantId: field(value, 'merchant_id'),
  apiKey: field(value, 'api_key'),
})
export const keyIn = (value: unknown) => ({ keyId: field(value, 'key_id'), apiKey: field(value, 'api_key') })

/** The keys of a list. */
export const keysIn = (value: unknown) =>
  Array.isArray(value)
    ? value.map((each: unknown) => ({
        keyId: field(each, 'key_id'),
        createdAt: field(each, 'created_at'),
        shown: each,
      }))
    : []

export const anyMerchantId = expect.stringMatching(/^mer_[0-9A-Za-z]{22}$/)
export const anyKeyId = expect.stringMatching(/^key_[0-9A-Za-z]{22}$/)
export const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** A key with this prefix and 256 random bits. */
export const anyKey = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[\\w-]{43}$`))
