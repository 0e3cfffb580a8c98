import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { FaultKnobs } from '../sandbox-api.ts'

const Named = t.type({ method: t.string })

/** The methods that a request names; none if it cannot be parsed. */
export const methodsIn = (text: string): ReadonlyArray<string> => {
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  )
  if (E.isLeft(parsed)) return []
  const requests: ReadonlyArray<unknown> = Array.isArray(parsed.right) ? parsed.right : [parsed.right]
  return requests.flatMap((each) => {
    const named = Named.decode(each)
    return E.isRight(named) ? [named.right.method] : []
  })
}

/** The failure that a request meets: silence, or an HTTP status. */
export const failureFor = (faults: FaultKnobs, methods: ReadonlyArray<string>): 'silence' | number | undefined => {
  const { silent, server_error } = faults.present()
  const isMeant = (knob: { readonly methods?: ReadonlyArray<string> } | undefined) =>
    knob !== undefined && (knob.methods === undefined || methods.some((each) => knob.methods?.includes(each)))
  if (isMeant(silent) && faults.take('silent') !== undefined) return 'silence'
  if (!isMeant(server_error)) return undefined
  const failing = faults.take('server_error')
  return failing && (failing.status ?? 503)
}
