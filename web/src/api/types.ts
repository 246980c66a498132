import type { components } from './schema.ts'

type Schemas = components['schemas']

export type Session = Schemas['Session']
export type Approval = Schemas['Approval']
export type Problem = Schemas['Problem']
export type Usage = Schemas['Usage']
export type Rule = Schemas['Rule']
export type By = Schemas['By']
export type Notice = Schemas['Notice']
export type ToolError = Schemas['ToolError']
export type SessionEvent = Schemas['SessionEvent']
export type StreamEvent = Schemas['Event']
export type EventOf<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>
export type SessionStatus = Session['status']
