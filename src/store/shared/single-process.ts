/**
 * The holder's name for the one process that serves from SQLite. It is no node and has no lease:
 * after a restart its sessions are found like those of a dead node.
 */
export const SINGLE_PROCESS = 'alone';
