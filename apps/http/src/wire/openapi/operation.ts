import type { JsonSchema } from '@quittance/client/wire'
import type { Route } from '../route.ts'
import { answersOf, type DescribedAnswer } from './answers.ts'
import type { NamedSchemas } from './json-schema.ts'
import { wordsFor } from './operations/index.ts'
import { bodyOf, parametersOf } from './request.ts'
import { securityOf } from './security.ts'

/** An operation in the reference. */
export type Operation = {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly deprecated?: true
  readonly parameters: ReadonlyArray<JsonSchema>
  readonly requestBody?: JsonSchema
  readonly responses: Readonly<Record<string, DescribedAnswer>>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

/** The operation of a route. Its name, its description and its examples are words that people have written for it. */
export const operationOf = (route: Route, named: NamedSchemas): Operation => {
  const { section, words, insteadOf } = wordsFor(route.method, route.path)
  const { security, description: credentials } = securityOf(route.auth)
  const instead = insteadOf === null ? [] : [`Deprecated: use \`${route.method} ${insteadOf}\`, which is the same.`]
  return {
    operationId: insteadOf === null ? words.name : `${words.name}Alias`,
    tags: [section.tag],
    summary: route.summary,
    description: [words.description, ...instead, credentials].filter((each) => each !== undefined).join(' '),
    ...(insteadOf === null ? {} : { deprecated: true }),
    parameters: parametersOf(route, named),
    ...bodyOf(route, words, named),
    responses: answersOf(route, named),
    security,
  }
}
