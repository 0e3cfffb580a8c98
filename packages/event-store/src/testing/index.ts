/**
 * The rules of the port as tests for any runner, and a store in memory.
 *
 * @module @quittance/event-store/testing
 */

export type { Capabilities, EventName, LogHead, StoreUnderTest, Tampering } from '../conformance/adapter.ts'
export { describeEventStore, type TestRunner } from '../conformance/suite.ts'
export { memoryEventStore } from './memory-store.ts'
