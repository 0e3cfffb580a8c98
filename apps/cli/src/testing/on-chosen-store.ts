import { eventStoreOf, removeEventStoreOf } from '@quittance/http/testing/event-store'
import { type TestDirectory, testDirectory } from './run-cli.ts'

/** A new data directory whose events are in the store that QUITTANCE_TEST_STORE chooses. */
export const onChosenStore = (): TestDirectory => testDirectory({ of: eventStoreOf, remove: removeEventStoreOf })
