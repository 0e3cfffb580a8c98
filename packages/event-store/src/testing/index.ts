export type { Capabilities, EventName, LogHead, StoreUnderTest, Tampering } from '../conformance/adapter.ts'
export { describeEventStore, type TestRunner } from '../conformance/suite.ts'
export { memoryEventStore } from './memory-store.ts'
