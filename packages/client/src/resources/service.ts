import * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import type { RequestBody } from '../request-body.ts'
import { bare, data } from '../response.ts'
import {
  type Advance,
  Health,
  PaidFromSandbox,
  Ready,
  SandboxClock,
  SandboxMail,
  type SandboxPayment,
} from '../wire/index.ts'

/** Whether the service and its dependencies answer. */
export const serviceOf = ({ ask }: Connection) => ({
  health: (options?: CallOptions): Promise<t.TypeOf<typeof Health>> =>
    ask({ method: 'GET', path: ['health'], answer: bare(Health), isPublic: true }, options),
  /** Also answers while the service is not ready: see `status`. */
  ready: (options?: CallOptions): Promise<t.TypeOf<typeof Ready>> =>
    ask({ method: 'GET', path: ['ready'], answer: bare(Ready), also: 503, isPublic: true }, options),
})

type FaultKnobs = Readonly<Record<string, unknown>>

/** Only for a service with a sandbox. Changes take no idempotency key here. */
export const sandboxOf = ({ ask }: Connection) => ({
  clock: (options?: CallOptions): Promise<t.TypeOf<typeof SandboxClock>> =>
    ask({ method: 'GET', path: ['sandbox', 'clock'], answer: data(SandboxClock) }, options),
  /** Moves the clock and runs everything that becomes due. */
  advance: (body: RequestBody<typeof Advance>, options?: CallOptions): Promise<t.TypeOf<typeof SandboxClock>> =>
    ask({ method: 'POST', path: ['sandbox', 'advance'], body, answer: data(SandboxClock) }, options),
  /** The newest mails of the key's merchant, which the sandbox keeps instead of sending them. */
  mail: (options?: CallOptions): Promise<ReadonlyArray<t.TypeOf<typeof SandboxMail>>> =>
    ask({ method: 'GET', path: ['sandbox', 'mail'], answer: data(t.readonlyArray(SandboxMail)) }, options),
  /** Pays a checkout from a new wallet with test money, and waits for the ledger. */
  pay: (body: RequestBody<typeof SandboxPayment>, options?: CallOptions): Promise<t.TypeOf<typeof PaidFromSandbox>> =>
    ask({ method: 'POST', path: ['sandbox', 'pay'], body, answer: data(PaidFromSandbox) }, options),
  /** The active knobs, with their remaining counts. */
  faults: (options?: CallOptions): Promise<FaultKnobs> =>
    ask({ method: 'GET', path: ['sandbox', 'faults'], answer: data(t.UnknownRecord) }, options),
  /** Sets knobs and turns off all others. */
  setFaults: (body: FaultKnobs, options?: CallOptions): Promise<FaultKnobs> =>
    ask({ method: 'POST', path: ['sandbox', 'faults'], body, answer: data(t.UnknownRecord) }, options),
})
