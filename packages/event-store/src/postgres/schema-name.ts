/** A name that needs no quotes, with room for what is derived from it. */
const plainName = /^[a-z_][a-z0-9_]{0,39}$/

/** Errors: throws `RangeError` where a schema's name would need quotes. */
export const requirePlainName = (schema: string): void => {
  if (!plainName.test(schema) || schema.startsWith('pg_'))
    throw new RangeError(`A schema is named by lower-case letters, digits and _, not ${JSON.stringify(schema)}`)
}
