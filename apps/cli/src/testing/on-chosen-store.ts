import { eventStoreOf, removeEventStoreOf } from '../../../http/src/testing/event-store.ts'
import { type TestDirectory, testDirectory } from './run-cli.ts'

/** A data directory of its own, whose events are where QUITTANCE_TEST_STORE puts them. */
export const onChosenStore = (): TestDirectory => testDirectory({ of: eventStoreOf, remove: removeEventStoreOf })
