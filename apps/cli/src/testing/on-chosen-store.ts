import { eventStoreOf, removeEventStoreOf } from '@quittance/http/testing/event-store'
import { type TestDirectory, testDirectory } from './run-cli.ts'

/** A data directory of its own, whose events are where QUITTANCE_TEST_STORE puts them. */
export const onChosenStore = (): TestDirectory => testDirectory({ of: eventStoreOf, remove: removeEventStoreOf })
