import * as t from 'io-ts'
import type { JsonObject } from './json.ts'

/** The codec of one type of event: `{ type, data }`. */
export class FactCodec<Name extends string, A, O extends JsonObject> extends t.Type<
  { readonly type: Name; readonly data: A },
  { readonly type: Name; readonly data: O },
  unknown
> {
  readonly type: Name
  readonly schemaVersion: number

  constructor(type: Name, body: t.Type<A, O, unknown>, schemaVersion: number) {
    super(
      type,
      (input): input is { readonly type: Name; readonly data: A } =>
        t.UnknownRecord.is(input) && input.type === type && body.is(input.data),
      (input, context) => {
        if (!t.UnknownRecord.is(input) || input.type !== type) return t.failure(input, context)
        const data = body.validate(input.data, context)
        return data._tag === 'Left' ? data : t.success({ type, data: data.right })
      },
      ({ data }) => ({ type, data: body.encode(data) }),
    )
    this.type = type
    this.schemaVersion = schemaVersion
  }
}

/** Tags a body with the type of the event it belongs to. `schemaVersion` is that of the body given here. */
export const fact = <const Name extends string, A, O extends JsonObject>(
  type: Name,
  body: t.Type<A, O, unknown>,
  schemaVersion = 1,
): FactCodec<Name, A, O> => new FactCodec(type, body, schemaVersion)

type AnyFact = t.Mixed & { readonly type: string; readonly schemaVersion: number }

/** The codec of all events of an aggregate. It goes straight to the member that the `type` names. */
export class FactsCodec<Member extends AnyFact> extends t.Type<t.TypeOf<Member>, t.OutputOf<Member>, unknown> {
  readonly members: ReadonlyMap<string, Member>

  constructor(list: ReadonlyArray<Member>) {
    const members = new Map(list.map((member) => [member.type, member]))
    const memberFor = (input: unknown): Member | undefined =>
      typeof input === 'object' && input !== null && 'type' in input && typeof input.type === 'string'
        ? members.get(input.type)
        : undefined
    super(
      list.map(({ type }) => type).join(' | '),
      (input): input is t.TypeOf<Member> => memberFor(input)?.is(input) === true,
      (input, context) => memberFor(input)?.validate(input, context) ?? t.failure(input, context),
      (event) => memberFor(event)?.encode(event),
    )
    this.members = members
  }
}

export const facts = <Member extends AnyFact>(members: ReadonlyArray<Member>): FactsCodec<Member> =>
  new FactsCodec(members)
