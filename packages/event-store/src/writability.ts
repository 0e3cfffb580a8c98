/** Whether a file or a database can be written: `locked` by another process, or on a disk that is full, read-only or fails. */
export type Writability = 'ok' | 'full' | 'locked' | 'read_only' | 'failing'
