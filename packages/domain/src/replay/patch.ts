import { type MetadataText, metadataValues } from '../shared/metadata.ts'

/** The patch that changes metadata into others: their values, and null for each key that is gone. */
export const patchTo = (from: MetadataText, to: MetadataText): Readonly<Record<string, unknown>> => {
  const gone = Object.keys(metadataValues(from)).map((key) => [key, null] as const)
  return { ...Object.fromEntries(gone), ...metadataValues(to) }
}
