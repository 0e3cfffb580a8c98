import { xdr } from '@stellar/stellar-sdk'
import type { EntriesAt } from '../gateway.ts'
import type { CallResources, HostError, Simulation } from '../simulation.ts'
import type { KeyedEntries, Simulated } from './rpc-responses.ts'

export const entriesAt = ({ entries, latestLedger }: KeyedEntries): EntriesAt => ({
  entries: new Map(
    (entries ?? []).map(({ key, xdr, liveUntilLedgerSeq, lastModifiedLedgerSeq: changedIn }) => [
      key,
      { xdr, liveUntil: liveUntilLedgerSeq ?? null, ...(changedIn === undefined ? {} : { changedIn }) },
    ]),
  ),
  asOf: latestLedger,
})

/** The first error ended the call; those in the log of events after it belong to inner calls. */
const failure = /Error\((\w+), (?:#(\d+)|(\w+))\)/

const errorOf = (text: string): { readonly contractError: number | null; readonly hostError: HostError } => {
  const [, type = 'Unknown', number, code = 'Unknown'] = failure.exec(text) ?? []
  if (type === 'Contract' && number !== undefined)
    return { contractError: Number(number), hostError: { type, code: number } }
  return { contractError: null, hostError: { type, code: number ?? code } }
}

/** Nodes keep contracts' entries in memory unless they are archived, and read all others from disk. */
const isOnDisk = ({ type }: xdr.LedgerKey): boolean => type !== 'contractData' && type !== 'contractCode'

const eventBytes = (event: string): number => {
  const { inSuccessfulContractCall, event: told } = xdr.DiagnosticEvent.fromXdr(event, 'base64')
  return inSuccessfulContractCall && told.type.name === 'contract' ? told.toXdr().length : 0
}

const resourcesOf = (
  { resources, ext }: xdr.SorobanTransactionData,
  events: ReadonlyArray<string>,
): CallResources & { readonly restoredEntries: number } => {
  const { readOnly, readWrite } = resources.footprint
  const footprint = [...readOnly, ...readWrite]
  const restoredEntries = ext.type === 'resourceExt' ? ext.resourceExt.archivedSorobanEntries.length : 0
  return {
    instructions: resources.instructions,
    footprintEntries: footprint.length,
    writtenEntries: readWrite.length,
    diskReadEntries: footprint.filter(isOnDisk).length + restoredEntries,
    diskReadBytes: resources.diskReadBytes,
    writtenBytes: resources.writeBytes,
    eventBytes: events.reduce((sum, event) => sum + eventBytes(event), 0),
    restoredEntries,
  }
}

/** A node's simulation of a call. Throws on malformed XDR. */
export const simulationOf = (answer: Simulated): Simulation => {
  if (answer.error !== undefined)
    return { _tag: 'SimulationFailed', asOf: answer.latestLedger, ...errorOf(answer.error), cause: answer.error }
  const { transactionData, minResourceFee, latestLedger } = answer
  const [result] = answer.results ?? []
  const data = xdr.SorobanTransactionData.fromXdr(transactionData, 'base64')
  const { restoredEntries, ...resources } = resourcesOf(data, answer.events ?? [])
  return {
    _tag: 'Simulated',
    asOf: latestLedger,
    transactionData,
    minResourceFee,
    auth: result?.auth ?? [],
    returnValue: result?.xdr ?? null,
    restoredEntries,
    resources,
  }
}
