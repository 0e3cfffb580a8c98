import { idTime, type RecordedEvent, unixMs } from '@quittance/domain'

/**
 * When the resource was created whose first event this is: as its id says, by which lists are ordered and narrowed. The
 * event may be younger, where a process has chosen the id and another one came to write it.
 */
export const createdAt = ({ stream, metadata }: RecordedEvent) => idTime(stream) ?? unixMs(metadata.occurredAt)
