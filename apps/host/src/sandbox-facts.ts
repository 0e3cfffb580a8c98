import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What newcomers and other processes need to know about a sandbox that is served. */
const facts = t.intersection([
  t.type({
    base_url: t.string,
    api_key: t.string,
    merchant_id: t.string,
    // Facts of earlier releases have null.
    dashboard_url: t.union([t.string, t.null]),
    rpc_url: t.string,
    friendbot_url: t.string,
    network_passphrase: t.string,
    assets: t.readonlyArray(t.strict({ asset_id: t.string, code: t.string, issuer: t.union([t.string, t.null]) })),
    mandate_contract: t.union([t.string, t.null]),
    pid: t.number,
  }),
  // Facts of earlier releases have none.
  t.partial({ metrics_url: t.string }),
])
export const SandboxFacts = t.readonly(t.exact(facts))
export type SandboxFacts = t.TypeOf<typeof SandboxFacts>

/** Writes the file by rename, so that readers never see half of it. */
export const writeSandboxFacts = (path: string, facts: SandboxFacts): void => {
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, path)
}

/** The latest facts; null without any. */
export const lastFacts = (path: string): SandboxFacts | null => {
  try {
    const facts = SandboxFacts.decode(JSON.parse(readFileSync(path, 'utf8')))
    return E.isLeft(facts) ? null : facts.right
  } catch {
    return null
  }
}
