/** An answer over HTTP: its status and its JSON body; `contentType` where it is not plain JSON. */
export type HttpAnswer = { readonly status: number; readonly body: unknown; readonly contentType?: string }
