import * as E from 'fp-ts/lib/Either.js'

/** A value as JSON, with bigints as `12n` and errors by name and message. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`
    return each instanceof Error ? `${each.name}: ${each.message}` : each
  })

/** The value of an outcome that has to succeed. */
export const right = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new Error(`unexpected left: ${shown(outcome.left)}`)
}
