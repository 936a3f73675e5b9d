/** Exports each table by its name, as drizzle-kit expects. Only drizzle-kit reads this file. */
module.exports = require('./columns.ts').postgresTables;
