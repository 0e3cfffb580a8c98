import {
  Customer,
  type Departure,
  Merchant,
  type MerchantId,
  type MerchantState,
  Product,
  type RecordedEvent,
  Webhook,
} from '@quittance/domain'
import { localSigner } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { merchantOperatorKey, recoveredKeys, rotatedKeys, settlementKey } from '../../stores/vault/vault-signer.ts'
import { accountIn, contentOf, ForeignContent, type Here } from './content-check.ts'
import { type Beginning, type End, type EventLine, Line, lineCounter } from './lines.ts'
import { categoryOf, isReadable } from './own-streams.ts'
import { openRehearsal } from './rehearsal.ts'
import { AlteredFile, type FileProblem, type SealedFile } from './sealed-file.ts'

/** An export that is whole, and holds nothing but one merchant. */
export type Checked = {
  readonly beginning: Beginning
  readonly end: End
  readonly departure: Departure
  readonly merchant: MerchantState
  readonly streams: ReadonlySet<string>
}

export type NotThisMerchants = { readonly _tag: 'ForeignContent'; readonly what: string }
/** Why the file of a merchant is refused. */
export type CheckFailure = FileProblem | NotThisMerchants

export const eventOf = ({ kind: _, revision, data, ...line }: EventLine): RecordedEvent => ({
  ...line,
  revision: BigInt(revision),
  position: 0n,
  // The line was JSON.
  data: data as RecordedEvent['data'],
})

/** The lines of a file. Throws `AlteredFile` for one that is none. */
export function* linesOf(file: SealedFile): Generator<{ readonly line: Line; readonly text: string }, void> {
  for (const text of file.lines()) {
    const line = E.tryCatch(() => Line.decode(JSON.parse(text)), String)
    if (E.isLeft(line) || E.isLeft(line.right)) throw new AlteredFile('a line is none of an export')
    yield { line: line.right.right, text }
  }
}

/**
 * Reads a whole export. Whoever knows the destination may have written it, so all of it must be about the one merchant: its
 * streams, at rest, the keys of its accounts and customers, and hashes that only lead to what is recorded in them.
 */
export const check = async (file: SealedFile, othersThan: OthersThan): Promise<E.Either<CheckFailure, Checked>> => {
  try {
    return E.right(await checked(file, othersThan))
  } catch (cause) {
    if (cause instanceof AlteredFile) return E.left({ _tag: 'FileAltered' })
    if (cause instanceof ForeignContent) return E.left({ _tag: 'ForeignContent', what: cause.message })
    throw cause
  }
}

/** What others than this merchant have here. */
type OthersThan = (merchantId: MerchantId) => Promise<Here>
type Seed = { readonly name: string; readonly publicKey: string }

const checked = async (file: SealedFile, othersThan: OthersThan): Promise<Checked> => {
  const checks = lineChecks(othersThan)
  try {
    return await checkedBy(checks, file)
  } finally {
    checks.close()
  }
}

const checkedBy = async (checks: ReturnType<typeof lineChecks>, file: SealedFile): Promise<Checked> => {
  const counter = lineCounter()
  let end: End | null = null
  for (const { line, text } of linesOf(file)) {
    if (end !== null) throw new AlteredFile('something follows the end')
    if (line.kind === 'end') {
      end = line
      continue
    }
    counter.take(line, text)
    await checks.take(line)
  }
  if (end === null) throw new AlteredFile('it has no end')
  if (JSON.stringify(counter.end()) !== JSON.stringify(end)) throw new AlteredFile('it is not what was counted')
  const { beginning, merchant, streams } = await checks.end()
  if (merchant.status === 'absent' || merchant.left === null) throw new ForeignContent('a merchant that has not left')
  return { beginning, end, departure: merchant.left, merchant, streams }
}

const nothingHere: Here = { hasAccount: async () => false, hasNamed: async () => false }

/** What every destination refuses in an export, before anything is at stake; null if nothing. */
export const refusedIn = async (lines: AsyncIterable<ContentLine>): Promise<NotThisMerchants | null> => {
  const checks = lineChecks(async () => nothingHere)
  try {
    for await (const line of lines) await checks.take(line)
    await checks.end()
    return null
  } catch (cause) {
    if (cause instanceof ForeignContent) return { _tag: 'ForeignContent', what: cause.message }
    throw cause
  } finally {
    checks.close()
  }
}

type ContentLine = Exclude<Line, End>

/** Checks the lines of an export, one by one, and at their end what only all of them show. */
const lineChecks = (othersThan: OthersThan) => {
  const seen = recordedIn()
  const rehearsal = openRehearsal()
  const seeds: Array<Seed> = []
  const hashes: Array<Extract<Line, { readonly kind: 'hash' }>> = []
  const subjects: Array<string> = []
  const webhooks: Array<string> = []
  let begun: { readonly beginning: Beginning; readonly content: ReturnType<typeof contentOf> } | null = null

  const take = async (line: ContentLine): Promise<void> => {
    if (line.kind === 'merchant') {
      if (begun !== null) throw new AlteredFile('it begins twice')
      begun = { beginning: line, content: contentOf(line, await othersThan(line.merchantId)) }
      return
    }
    if (begun === null) throw new AlteredFile('it does not begin with a merchant')
    const { beginning, content } = begun
    switch (line.kind) {
      case 'event': {
        const event = eventOf(line)
        if (!isReadable(event, beginning.merchantId)) throw new ForeignContent(`${event.type} of ${event.stream}`)
        seen.take(event)
        await content.take(event)
        try {
          rehearsal.take(event)
        } catch {
          throw new ForeignContent(`${event.type} of ${event.stream}, at which a read model stops`)
        }
        return
      }
      case 'row': {
        const { table, row } = line
        if (table !== 'idempotency_claims') webhooks.push(String(row.webhook_id))
        if (table !== 'webhook_endpoints' && row.merchant_id !== beginning.merchantId)
          throw new ForeignContent(`a row of ${table}`)
        return
      }
      case 'subject':
        subjects.push(line.subject)
        return
      case 'seed': {
        const seed = Buffer.from(line.seed, 'base64')
        if (seed.length !== 32) throw new ForeignContent(`the key ${line.name}`)
        seeds.push({ name: line.name, publicKey: localSigner(seed).publicKey })
        return
      }
      case 'hash':
        hashes.push(line)
        return
    }
  }
  const end = async () => {
    if (begun === null) throw new AlteredFile('it is empty')
    const { beginning, content } = begun
    for (const id of subjects)
      if (!seen.streams.has(`${Customer.category}-${id}`)) throw new ForeignContent(`the key of ${id}`)
    for (const id of webhooks)
      if (!seen.streams.has(`${Webhook.category}-${id}`)) throw new ForeignContent(`the endpoint ${id}`)
    for (const { purpose, text, hash } of hashes)
      if (!seen.explains(beginning.merchantId, purpose, text, hash)) throw new ForeignContent(`a hash of "${purpose}"`)
    return { beginning, merchant: await content.end(provenBy(beginning, seeds)), streams: seen.streams }
  }
  return { take, end, close: rehearsal.close }
}

/** The accounts whose first key is among the seeds. Throws for a seed that is of none of them. */
const provenBy = ({ merchantId, accounts }: Beginning, seeds: ReadonlyArray<Seed>): ReadonlySet<string> => {
  const proven = new Set<string>()
  const names = new Set<string>()
  for (const { environment, account, holds } of accounts) {
    const key = holds === 'operator' ? merchantOperatorKey : settlementKey
    const name = key(environment, merchantId)
    if (!seeds.some((seed) => seed.name === name && seed.publicKey === account)) continue
    proven.add(accountIn(environment, account))
    names.add(name)
    for (const later of [rotatedKeys, recoveredKeys])
      for (const seed of seeds)
        if (/^[0-9]{4}$/.test(numberBehind(later(environment, account), seed.name))) names.add(seed.name)
  }
  for (const { name } of seeds) if (!names.has(name)) throw new ForeignContent(`the key ${name}`)
  if (new Set(seeds.map(({ name }) => name)).size !== seeds.length) throw new ForeignContent('a key twice')
  return proven
}

const numberBehind = (beginning: string, name: string): string =>
  name.startsWith(beginning) ? name.slice(beginning.length) : ''

/** What the streams of an export hold that its hashes may lead to. */
const recordedIn = () => {
  const streams = new Set<string>()
  const commands = new Set<string>()
  const keyHashes = new Set<string>()
  const secretNames = new Set<string>()
  const ownAccounts = new Set<string>()
  return {
    streams,
    take: (event: RecordedEvent): void => {
      streams.add(event.stream)
      if (categoryOf(event) === Webhook.category) secretNames.add(String(event.data.secretName))
      if (categoryOf(event) !== Merchant.category) return
      if (event.type === 'SettlementAccountSet' && event.data.custody === 'merchant')
        ownAccounts.add(accountIn(String(event.data.environment), event.data.account))
      if (event.type !== 'ApiKeyCreated') return
      commands.add(event.metadata.commandId)
      keyHashes.add(String(event.data.keyHash))
    },
    explains: (merchantId: string, purpose: string, text: string, hash: string): boolean => {
      const [first = ''] = text.split('\n', 1)
      switch (purpose) {
        case 'api key':
          return keyHashes.has(hash)
        case 'api key secret':
          return commands.has(first)
        case 'webhook secret':
          return secretNames.has(text)
        case 'email':
        case 'phone':
          return first === merchantId
        case 'trial':
          return streams.has(`${Product.category}-${first}`) && streams.has(`reservation-${hash}`)
        case 'settlement account':
          return ownAccounts.has(text) && streams.has(`reservation-${hash}`)
        default:
          return false
      }
    },
  }
}
