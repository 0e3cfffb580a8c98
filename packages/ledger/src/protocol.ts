/**
 * The newest protocol whose ledgers this release reads whole, which is that of its SDK. A ledger of a newer one is read too,
 * as far as it holds nothing new.
 */
export const READABLE_PROTOCOL = 27

/**
 * The protocols of a network, as nodes tell them. `current` is that of the newest ledger. `prepared` is the newest one that a
 * node can run, by the version of its core; null where no node says. The network moves there when its validators vote so: no
 * node knows when. `keptLedgers`: how many ledgers a node keeps, null where none says.
 */
export type NetworkProtocol = {
  readonly current: number
  readonly prepared: number | null
  readonly keptLedgers: number | null
}

/** How a core names itself, as in `stellar-core 27.1.0 (3589a69…)`: the first number is the newest protocol that it can run. */
const coreVersion = /^(?:stellar-core )?v?(\d{1,4})\.\d/

export const preparedProtocol = (captiveCoreVersion: string): number | null => {
  const [, major] = coreVersion.exec(captiveCoreVersion) ?? []
  return major === undefined ? null : Number(major)
}
