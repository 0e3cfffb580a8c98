import { SpanKind } from '@opentelemetry/api'
import * as E from 'fp-ts/lib/Either.js'
import { inSpan } from './spans.ts'

/** A transaction as a trace names it. Its hash is public on the ledger; amounts and accounts are left out. */
type Sent = {
  readonly hash: string
  /** What it is for. */
  readonly kind: string
  /** The newest ledger that was ingested before it was sent; null where no ledger is looked at. */
  readonly afterLedger: number | null
}

/** Measures the sending of a transaction to the network. What a node answers is no outcome, so it is no error either. */
export const traceSubmit = <L extends { readonly _tag: string }, A>(
  { hash, kind, afterLedger }: Sent,
  submit: () => Promise<E.Either<L, A>>,
): Promise<E.Either<L, A>> => {
  const attributes = {
    'quittance.transaction.hash': hash,
    'quittance.transaction.kind': kind,
    ...(afterLedger === null ? {} : { 'quittance.ledger': afterLedger }),
  }
  return inSpan('submit transaction', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const sent = await submit()
    span.setAttribute('quittance.answer', E.isRight(sent) ? 'Accepted' : sent.left._tag)
    return sent
  })
}
